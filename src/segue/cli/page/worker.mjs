// Python in a worker of the playground: it takes a log and returns the report.
import { loadPyodide } from "./pyodide.mjs";

const since = (start) => ((performance.now() - start) / 1000).toFixed(1);

async function load() {
  const packed = fetch("library.zip").then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL(".", location.href).href });
  python.unpackArchive(await packed, "zip", { extractDir: "/lib/segue" });
  const version = python.runPython("import sys; sys.path.append('/lib/segue')\nimport segue\nfrom segue.report import playground\nsegue.__version__");
  postMessage({ ready: version, seconds: since(0) });
  return python;
}

const loaded = load();
loaded.catch((error) => postMessage({ problem: String(error.message).slice(-300) }));

addEventListener("message", async ({ data: { name, log } }) => {
  const [python, start] = [await loaded, performance.now()];
  try {
    const report = python.globals.get("playground").check_in_browser(python.toPy(new Uint8Array(log)), name);
    postMessage({ report, seconds: since(start), name });
  } catch (error) {
    postMessage({ problem: String(error.message).trim().split("\n").at(-1), name });
  }
});
