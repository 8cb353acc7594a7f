"""Retrievers of other frameworks that search a corpus, one module for each framework.

Each has one class, ``TetragraphRetriever``, and is imported by its own name, as it needs the packages of its framework:

====================================== ======================== =================================
import                                 extra                    framework
====================================== ======================== =================================
``tetragraph_adapters.langchain``      ``langchain``            LangChain
``tetragraph_adapters.llama_index``    ``llama-index``          LlamaIndex
``tetragraph_adapters.neo4j_graphrag`` ``neo4j-graphrag``       neo4j-graphrag
``tetragraph_adapters.haystack``       ``haystack``             Haystack
====================================== ======================== =================================

All of them take a ``Corpus`` or an ``AsyncCorpus``, and find the same chunks in the same order as its ``search``.
"""
