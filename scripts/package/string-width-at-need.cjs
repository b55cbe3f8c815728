// Replaces string-width in the command: the real one, loaded at the first text with more than plain characters. Its
// emoji tables cost every start a tenth of a short command, and most texts need none of them.
module.exports = (text, options) =>
  require("../../node_modules/string-width/index.js").default(text, options);
