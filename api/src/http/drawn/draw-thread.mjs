// The thread that draws pages with the module of the web app's build. Plain JavaScript, so that it needs no compiler.
// It gets { drawing, path, answers }, asks with { question, document, variables }, and answers with { page } or { error }.
// Everything is marked with the drawing's number, so that nothing of one user gets into the page of another.
import { parentPort, workerData } from 'node:worker_threads';

const { draw } = await import(workerData.module);

/** By the number of a question, what takes its answer. */
const waiting = new Map();
let questions = 0;

const executeFor = (drawing) => (document, variables) =>
  new Promise((resolve, reject) => {
    questions++;
    waiting.set(questions, { resolve, reject });
    parentPort.postMessage({ drawing, question: questions, document, variables });
  });

parentPort.on('message', ({ drawing, path, answers, question, data, error }) => {
  if (path !== undefined) {
    const first = answers && JSON.parse(answers);
    draw({ path, publicUrl: workerData.publicUrl, answers: first, execute: executeFor(drawing) }).then(
      (page) => parentPort.postMessage({ drawing, page }),
      (cause) => parentPort.postMessage({ drawing, error: cause?.stack ?? String(cause) }),
    );
    return;
  }
  const asked = waiting.get(question);
  waiting.delete(question);
  if (error === undefined) asked?.resolve(data);
  else asked?.reject(new Error(error));
});
