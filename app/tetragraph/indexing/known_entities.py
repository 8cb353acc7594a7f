"""Gives a corpus another gazetteer."""

from __future__ import annotations

import json

from tetragraph.indexing.lease import Lease
from tetragraph.language.lexicon.gazetteer import SETTING, Gazetteer, gazetteer_of
from tetragraph.stores.corpus import CorpusStores


def set_gazetteer(stores: CorpusStores, lease: Lease, gazetteer: Gazetteer) -> None:
    """Store a gazetteer in the settings of a corpus that has another one; the next publish builds its graphs again.

    Types of entities that only the former one knew are taken from them, so that the builds write their own.

    Args:
        stores: Stores of the corpus.
        lease: The lease of the corpus.
        gazetteer: The new one; an empty one leaves that of the corpus.
    """
    record = stores.record
    if not gazetteer or record.settings.get(SETTING) == gazetteer.setting:
        return
    lease.hold()
    row = stores.graph.read("corpus/get_corpus", corpus=stores.name)[0]
    settings = json.loads(row["settings"])
    former = gazetteer_of(settings)
    typed = {identity for identity, entity in gazetteer.by_id.items() if entity.type}
    gone = [{"id": one, "type": None} for one in sorted(former.by_id.keys() - typed)]
    settings[SETTING] = gazetteer.setting
    stores.graph.write_all(
        [
            ("corpus/upsert_settings", {"corpus": stores.name, "settings": json.dumps(settings, sort_keys=True)}),
            ("entities/upsert_entity_types", {"corpus": stores.name, "rows": gone}),
            ("reembed/upsert_rebuild", {"corpus": stores.name}),
            ("ingest/upsert_generation", {"corpus": stores.name, "metadata_keys": []}),
        ]
    )
