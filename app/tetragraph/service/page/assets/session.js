/* Lets the graph of a session grow: each part of the page that arrives carries the graph after its step. */
"use strict";
(() => {
  const session = document.getElementById("session");
  const dataOf = (node) => ({ ...node });
  const grow = () => {
    const frame = document.getElementById("frame");
    const cy = window.drawing;
    if (!frame || !cy) { return; }
    const graph = JSON.parse(frame.dataset.graph);
    const known = new Set(cy.elements().map((thing) => thing.id()));
    cy.batch(() => {
      for (const node of graph.nodes) {
        const place = { x: node.x, y: node.y };
        if (known.has(node.id)) {
          cy.getElementById(node.id).data(dataOf(node)).position(place);
        } else {
          cy.add({ group: "nodes", data: dataOf(node), position: place });
        }
      }
      for (const link of graph.links) {
        if (!known.has(link.id)) { cy.add({ group: "edges", data: { ...link } }); }
      }
    });
    cy.fit(undefined, 50);
  };
  // Buttons of the tables that arrive later show their node as those of the first table do.
  session.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shows]");
    if (button && window.drawing) { window.drawing.getElementById(button.dataset.shows).emit("tap"); }
  });
  new MutationObserver(grow).observe(session, { childList: true });
})();
