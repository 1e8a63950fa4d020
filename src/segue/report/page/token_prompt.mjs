// The prompt for a token, which is held in memory and nowhere else.
import { make } from "./dom.mjs";

export class TokenPrompt {
  constructor(onToken, what = "A token that may read conversations") {
    this.token = "";
    this.onToken = onToken;
    this.input = make("input", { id: "token", class: "secret", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "refused" });
    this.refused = make("p", { id: "refused", class: "problem", role: "alert" });
    this.form = make(
      "form",
      { id: "enter", submit: (event) => this.take(event) },
      make("label", { for: "token" }, what),
      make("div", {}, this.input, make("button", { type: "submit" }, "Open")),
      this.refused,
      make("p", {}, "It stays in the memory of this page until you close or reload it."),
    );
    document.querySelector("header").after(this.form);
    const sent = /^#token=([\x21-\x7e]+)$/.exec(location.hash);
    if (sent) {
      this.token = decodeURIComponent(sent[1]);
      history.replaceState(null, "", location.pathname);
    }
  }
  // Forget the token, say why another one is needed, and wait for it.
  ask(why) {
    this.token = "";
    this.refused.textContent = why;
    this.input.focus();
  }

  take(event) {
    event.preventDefault();
    const token = this.input.value.trim().replace(/^bearer\s+/i, "");
    this.input.value = "";
    if (/^[\x21-\x7e]+$/.test(token)) {
      this.token = token;
      this.onToken();
    } else this.refused.textContent = "A token is one word, without blanks.";
  }
}
