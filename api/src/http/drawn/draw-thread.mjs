// The thread that draws pages with the module of the web app's build. Plain JavaScript, so that it needs no compiler.
// It gets { path }, asks with { document, variables }, and answers with { page } or { error }.
import { parentPort, workerData } from 'node:worker_threads';

const { draw } = await import(workerData.module);

/** By the number of a question, what takes its answer. */
const waiting = new Map();
let questions = 0;

const execute = (document, variables) =>
  new Promise((resolve, reject) => {
    questions++;
    waiting.set(questions, { resolve, reject });
    parentPort.postMessage({ question: questions, document, variables });
  });

parentPort.on('message', ({ path, question, data, error }) => {
  if (path !== undefined) {
    draw({ path, publicUrl: workerData.publicUrl, execute }).then(
      (page) => parentPort.postMessage({ page }),
      (cause) => parentPort.postMessage({ error: cause?.stack ?? String(cause) }),
    );
    return;
  }
  const asked = waiting.get(question);
  waiting.delete(question);
  if (error === undefined) asked?.resolve(data);
  else asked?.reject(new Error(error));
});
