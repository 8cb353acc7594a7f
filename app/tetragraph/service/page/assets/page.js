/* What the pages do beyond links and forms. Without this file every page still works. */
"use strict";
(() => {
  // "/" puts the cursor into the question, unless something is being typed.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    const field = document.querySelector("form.ask input");
    if (event.key === "/" && !typing && field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });
})();
