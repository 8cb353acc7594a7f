/* Draws the graph that the page carries as JSON. Texts become text nodes, never markup. */
"use strict";
(() => {
  const graph = JSON.parse(document.getElementById("data").textContent);
  const large = graph.nodes.length > 300; // drawn more simply, so that it still moves
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const style = () => [
    { selector: "node", style: {
      "background-color": "data(colour)", shape: "data(shape)", width: 26, height: 26, label: "data(caption)",
      color: colour("--text"), "font-family": "system-ui, sans-serif", "font-size": 12, "text-wrap": "wrap",
      "text-max-width": 130, "text-valign": "bottom", "text-margin-y": 5, "text-background-color": colour("--back"),
      "min-zoomed-font-size": large ? 8 : 0,
      "text-background-opacity": 0.8, "text-background-padding": 1, "border-width": 1, "border-color": colour("--back"),
    } },
    { selector: "node[rank > 0]", style: {
      width: 38, height: 38, "font-weight": "bold", "border-width": 4, "border-color": colour("--text"),
    } },
    { selector: "edge", style: {
      width: 1.6, "line-color": colour("--quiet"), "line-opacity": 0.6, "curve-style": large ? "haystack" : "bezier",
      "target-arrow-shape": "triangle", "target-arrow-color": colour("--quiet"), "arrow-scale": 0.9,
      label: graph.labelled ? "data(caption)" : "", "font-family": "system-ui, sans-serif", "font-size": 10,
      color: colour("--quiet"), "text-rotation": "autorotate", "text-background-color": colour("--back"),
      "text-background-opacity": 0.85, "text-background-padding": 1,
    } },
    { selector: "node.near", style: { "border-width": 4, "border-color": colour("--mark") } },
    { selector: "edge.near", style: {
      width: 3, label: "data(caption)", "line-color": colour("--mark"), "line-opacity": 1,
      "target-arrow-color": colour("--mark"), color: colour("--text"), "z-index": 5,
    } },
    { selector: ".far", style: { opacity: 0.25 } },
    { selector: ".hidden", style: { display: "none" } },
  ];

  const cy = window.cytoscape({
    container: document.getElementById("graph"),
    elements: {
      nodes: graph.nodes.map((node) => ({ data: node, position: { x: node.x, y: node.y } })),
      edges: graph.links.map((link) => ({ data: link })),
    },
    style: style(),
    layout: { name: "preset", padding: 50 },
    minZoom: 0.05,
    maxZoom: 4,
    boxSelectionEnabled: false,
    hideEdgesOnViewport: large,
    textureOnViewport: large,
    pixelRatio: large ? 1 : "auto",
  });
  window.drawing = cy;
  dark.addEventListener("change", () => cy.style(style()));

  const details = document.getElementById("details");
  const element = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };
  const tell = (thing) => {
    const data = thing.data();
    const heading = thing.isNode() ? data.title : `${thing.source().data("title")} → ${thing.target().data("title")}`;
    const about = thing.isNode() ? `${data.label} ${data.key}` : data.type;
    const kind = element("p", data.rank ? `${about}, result ${data.rank}` : about);
    kind.className = "quiet";
    const list = document.createElement("dl");
    for (const [name, value] of data.properties) {
      list.append(element("dt", name), element("dd", value));
    }
    details.replaceChildren(element("h2", thing.isNode() ? "Node" : "Relationship"), element("h3", heading), kind, list);
  };

  let kept = null;
  const mark = (thing) => {
    cy.elements().removeClass("near far");
    if (thing) {
      const near = thing.isNode() ? thing.closedNeighborhood() : thing.union(thing.connectedNodes());
      cy.elements().not(near).addClass("far");
      (thing.isNode() ? thing.union(thing.connectedEdges()) : thing).addClass("near");
    }
  };
  const keep = (thing) => {
    kept = thing;
    mark(thing);
    if (thing) {
      tell(thing);
    }
  };
  cy.on("mouseover", "node, edge", (event) => { if (!kept) { mark(event.target); tell(event.target); } });
  cy.on("mouseout", "node, edge", () => { if (!kept) { mark(null); } });
  cy.on("tap", (event) => keep(event.target === cy ? null : event.target));

  for (const button of document.querySelectorAll("[data-shows]")) {
    button.addEventListener("click", () => {
      const node = cy.getElementById(button.dataset.shows);
      keep(node);
      const seen = cy.extent();
      const place = node.position();
      if (place.x < seen.x1 || place.x > seen.x2 || place.y < seen.y1 || place.y > seen.y2) {
        cy.center(node);
      }
    });
  }
  for (const button of document.querySelectorAll("[data-label]")) {
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      cy.nodes().filter((node) => node.data("label") === button.dataset.label).toggleClass("hidden", !shown);
    });
  }
  const middle = () => ({ x: cy.width() / 2, y: cy.height() / 2 });
  const zoom = (factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: middle() });
  const whole = () => cy.fit(undefined, 50);
  const steps = { "+": () => zoom(1.25), "-": () => zoom(0.8), 0: whole, Escape: () => keep(null),
    ArrowLeft: () => cy.panBy({ x: 60, y: 0 }), ArrowRight: () => cy.panBy({ x: -60, y: 0 }),
    ArrowUp: () => cy.panBy({ x: 0, y: 60 }), ArrowDown: () => cy.panBy({ x: 0, y: -60 }) };
  document.getElementById("closer").addEventListener("click", steps["+"]);
  document.getElementById("farther").addEventListener("click", steps["-"]);
  document.getElementById("whole").addEventListener("click", whole);
  document.getElementById("graph").addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      step();
    }
  });
})();
