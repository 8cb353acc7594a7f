"""Tells the text of a crawled web page from its furniture, line by line, without a language model.

A page that was saved as Markdown has its menus, teasers, notices and buttons as lines of their own. Each line is
described by its words, links and place and by the lines around it (:mod:`~tetragraph.language.page_lines.features`),
and boosted trees that were fitted on pages marked by hand judge it (:mod:`~tetragraph.language.page_lines.model`).
"""
