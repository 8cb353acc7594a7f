"""Continents of the countries that a text names, so that what is native to Japan is native to Asia."""

from __future__ import annotations

from typing import Final

from tetragraph.language.lexicon.countries import find_countries

_TABLE: Final = """
Africa African: Algeria, Angola, Burkina Faso, Cameroon, Egypt, Ethiopia, Gabon, Ghana, Ivory Coast, Kenya, Libya,
    Madagascar, Mali, Morocco, Mozambique, Namibia, Nigeria, Rwanda, Senegal, South Africa, Sudan, Tanzania, Tunisia,
    Uganda, Zambia, Zimbabwe
Asia Asian: Afghanistan, Armenia, Azerbaijan, Bahrain, Bangladesh, Cambodia, China, Georgia (country), India, Indonesia,
    Iran, Iraq, Israel, Japan, Jordan, Kazakhstan, Kuwait, Laos, Lebanon, Malaysia, Mongolia, Myanmar, Nepal,
    North Korea, Oman, Pakistan, Palestine, Philippines, Qatar, Russia, Saudi Arabia, Singapore, South Korea, Sri Lanka,
    Syria, Taiwan, Thailand, Turkey, United Arab Emirates, Uzbekistan, Vietnam, Yemen
Europe European: Albania, Austria, Belarus, Belgium, Bosnia and Herzegovina, Bulgaria, Croatia, Cyprus, Czech Republic,
    Denmark, Estonia, Finland, France, Germany, Greece, Hungary, Iceland, Ireland, Italy, Kosovo, Latvia, Lithuania,
    Luxembourg, Malta, Moldova, Montenegro, Netherlands, North Macedonia, Norway, Poland, Portugal, Romania, Russia,
    Serbia, Slovakia, Slovenia, Spain, Sweden, Switzerland, Turkey, Ukraine, United Kingdom
"""


def _read_table() -> dict[str, str]:
    words: dict[str, str] = {}
    for line in _TABLE.replace(",\n    ", ", ").strip().splitlines():
        names, _, countries = line.partition(":")
        for country in countries.split(","):
            words[country.strip()] = f"{words.get(country.strip(), '')} {names}".strip()
    return words


_CONTINENTS: Final = _read_table()


def name_continents(text: str) -> str:
    """Names and adjectives of the continents, but for America and Oceania, of the countries that a text names.

    >>> name_continents("It is native to Japan.")
    'Asia Asian'
    """
    return " ".join(dict.fromkeys(_CONTINENTS.get(country, "") for _, country in find_countries(text))).strip()
