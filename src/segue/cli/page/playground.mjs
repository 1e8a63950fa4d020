// The playground: a log that is dropped is checked by a worker of this page, and goes nowhere else.
import { at } from "./dom.mjs";

const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (url) => url });
const worker = new Worker(policy?.createScriptURL("worker.mjs") ?? "worker.mjs", { type: "module" });

function show({ ready, report, problem, seconds, name }) {
  const found = report ? `${name}: checked in ${seconds} s, here` : `${name ?? "It cannot run here"}: ${problem}`;
  at("said").textContent = ready ? `Ready after ${seconds} s. Segue ${ready} runs in this page: no log leaves your computer.` : found;
  at("log").disabled = !(ready || name);
  document.body.dataset.state = ready ? "live" : report ? "shown" : "away";
  if (!report) return;
  URL.revokeObjectURL(at("save").href);
  at("save").href = at("report").src = URL.createObjectURL(new Blob([report], { type: "text/html;charset=utf-8" }));
  at("save").hidden = at("report").hidden = false;
}

async function check(file) {
  if (!file || at("log").disabled) return;
  [at("log").disabled, at("said").textContent] = [true, `${file.name}: checking …`];
  const log = await file.arrayBuffer();
  worker.postMessage({ name: file.name, log }, [log]);
}

worker.addEventListener("message", ({ data }) => show(data));
worker.addEventListener("error", () => show({ problem: "its worker was not found; serve this folder over HTTP" }));
at("log").addEventListener("change", (event) => check(event.target.files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => [event.preventDefault(), check(event.dataTransfer.files[0])]);
