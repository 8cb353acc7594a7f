"""Countries and the adjectives of their people, so that "Welsh" and "London, England" name the same country."""

from __future__ import annotations

import re
from typing import Final

_TABLE: Final = """
United States: American, USA, U.S., United States of America, U.S.A.
United Kingdom: British, UK, U.K., Great Britain, Britain, English, England, Scottish, Scotland, Welsh, Wales,
    Northern Ireland, Northern Irish
Ireland: Irish
France: French
Germany: German, West Germany, East Germany, Prussia, Prussian
Italy: Italian
Spain: Spanish, Catalan
Portugal: Portuguese
Netherlands: Dutch, The Netherlands, Holland
Belgium: Belgian, Flemish
Luxembourg: Luxembourgish
Switzerland: Swiss
Austria: Austrian, Austro-Hungarian, Austria-Hungary
Hungary: Hungarian
Czech Republic: Czech, Czechoslovakia, Czechoslovak, Czechia, Bohemia
Slovakia: Slovak
Poland: Polish
Russia: Russian, Soviet, Soviet Union, USSR, Russian Empire
Ukraine: Ukrainian
Belarus: Belarusian
Lithuania: Lithuanian
Latvia: Latvian
Estonia: Estonian
Finland: Finnish
Sweden: Swedish
Norway: Norwegian
Denmark: Danish
Iceland: Icelandic
Greece: Greek
Turkey: Turkish, Ottoman, Ottoman Empire
Cyprus: Cypriot
Malta: Maltese
Albania: Albanian
Serbia: Serbian, Yugoslavia, Yugoslav
Croatia: Croatian
Slovenia: Slovenian, Slovene
Bosnia and Herzegovina: Bosnian, Bosnia
Kosovo: Kosovan
Montenegro: Montenegrin
North Macedonia: Macedonian, Macedonia
Bulgaria: Bulgarian
Romania: Romanian
Moldova: Moldovan
Georgia (country): Georgian
Armenia: Armenian
Azerbaijan: Azerbaijani
Kazakhstan: Kazakh, Kazakhstani
Uzbekistan: Uzbek
Iran: Iranian, Persian, Persia
Iraq: Iraqi
Syria: Syrian
Lebanon: Lebanese
Israel: Israeli
Palestine: Palestinian
Jordan: Jordanian
Saudi Arabia: Saudi, Saudi Arabian
Yemen: Yemeni
Oman: Omani
Kuwait: Kuwaiti
United Arab Emirates: Emirati, UAE
Qatar: Qatari
Bahrain: Bahraini
Egypt: Egyptian
Libya: Libyan
Tunisia: Tunisian
Algeria: Algerian
Morocco: Moroccan
Sudan: Sudanese
Ethiopia: Ethiopian
Kenya: Kenyan
Uganda: Ugandan
Tanzania: Tanzanian
Rwanda: Rwandan
Nigeria: Nigerian
Ghana: Ghanaian
Senegal: Senegalese
Mali: Malian
Ivory Coast: Ivorian
Cameroon: Cameroonian
Burkina Faso: Burkinabé
Gabon: Gabonese
Angola: Angolan
Mozambique: Mozambican
Zambia: Zambian
Zimbabwe: Zimbabwean
South Africa: South African
Namibia: Namibian
Madagascar: Malagasy
India: Indian
Pakistan: Pakistani
Bangladesh: Bangladeshi
Sri Lanka: Sri Lankan
Nepal: Nepalese, Nepali
Afghanistan: Afghan
Myanmar: Burmese, Burma
Thailand: Thai
Cambodia: Cambodian
Laos: Laotian
Vietnam: Vietnamese
Malaysia: Malaysian
Singapore: Singaporean
Indonesia: Indonesian
Philippines: Filipino, Filipina, Philippine
China: Chinese, Hong Kong
Taiwan: Taiwanese
Japan: Japanese
South Korea: South Korean, Korean
North Korea: North Korean
Mongolia: Mongolian
Australia: Australian
New Zealand: New Zealander
Canada: Canadian
Mexico: Mexican
Guatemala: Guatemalan
Honduras: Honduran
El Salvador: Salvadoran
Nicaragua: Nicaraguan
Costa Rica: Costa Rican
Panama: Panamanian
Cuba: Cuban
Jamaica: Jamaican
Haiti: Haitian
Dominican Republic: Dominican
Puerto Rico: Puerto Rican
Trinidad and Tobago: Trinidadian
Colombia: Colombian
Venezuela: Venezuelan
Ecuador: Ecuadorian
Peru: Peruvian
Bolivia: Bolivian
Chile: Chilean
Argentina: Argentine, Argentinian
Uruguay: Uruguayan
Paraguay: Paraguayan
Brazil: Brazilian
"""
_STATES: Final = """
Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Hawaii, Idaho, Illinois,
Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi, Missouri,
Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North Carolina, North Dakota, Ohio,
Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota, Tennessee, Texas, Utah, Vermont, Virginia,
Washington, West Virginia, Wisconsin, Wyoming
"""


def _read_table() -> dict[str, list[str]]:
    lines = (line.partition(":") for line in _TABLE.replace(",\n    ", ", ").strip().splitlines())
    return {country: [name.strip() for name in others.split(",")] for country, _, others in lines}


def _read_names() -> dict[str, str]:
    names = {name: country for country, others in _OTHERS.items() for name in (country, *others)}
    for state in _STATES.replace("\n", " ").split(","):
        names[state.strip()] = "United States"
    return names


_OTHERS: Final = _read_table()
"""Other names of each country, of which the first is an adjective."""
_COUNTRIES: Final = _read_names()
_NAMES: Final = re.compile(
    rf"(?<![\w-])(?:{'|'.join(re.escape(name) for name in sorted(_COUNTRIES, key=lambda one: (-len(one), one)))})(?!\w)"
)


def find_countries(text: str) -> list[tuple[int, str]]:
    """Find the countries that a text names by a noun, an adjective or a state of the United States.

    Returns:
        Offset and country of each, in order of their places.

    >>> find_countries("a Welsh singer from Reno, Nevada")
    [(2, 'United Kingdom'), (26, 'United States')]
    """
    return [(match.start(), _COUNTRIES[match[0]]) for match in _NAMES.finditer(text)]


def without_countries(text: str) -> str:
    """The text with a blank in the place of each name that :func:`find_countries` finds.

    >>> without_countries("a Welsh singer")
    'a   singer'
    """
    return _NAMES.sub(" ", text)


def adjective_of(country: str) -> str:
    """The adjective of a country that :func:`find_countries` finds.

    >>> adjective_of("United States")
    'American'
    """
    return _OTHERS[country][0]
