"""Pictures of graphs as SVG and where their nodes stand: deterministic, without a script or anything from elsewhere."""
