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

  // A request without a reply of the service leaves a message in place of its result, which would be an older one.
  const noteOf = (text, ...more) => {
    const note = document.createElement("p");
    note.className = "fault";
    note.setAttribute("role", "alert");
    note.append(text, ...more);
    return note;
  };
  const showFailure = (ctx, text) => {
    const again = document.createElement("a");
    again.href = ctx.sourceElement.matches("form, details") ? ctx.request.action : location.href;
    again.textContent = "Try again";
    ctx.target.replaceChildren(noteOf(text, " ", again));
  };
  document.addEventListener("htmx:error", ({ detail }) => {
    if (detail.ctx) { showFailure(detail.ctx, "The service does not answer."); }
  });
  document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
    if (ctx.text.includes('class="fault"')) { return; } // the part of a page that explains the error
    ctx.status = "failed"; // htmx then shows no text of it
    showFailure(ctx, `The service answers with status ${ctx.response.status}.`);
  });
  // Streams connect again by themselves, and their next part replaces the message.
  document.addEventListener("htmx:sse:error", ({ target }) => {
    if (!target.querySelector(":scope > .fault[role=alert]")) {
      target.prepend(noteOf("The service does not answer. This page connects again when it does."));
    }
  });
})();
