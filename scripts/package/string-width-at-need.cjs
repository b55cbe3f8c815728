// What the command takes as string-width: the real one, made ready at the first text that has more than plain characters.
// Its tables of emoji cost every start a tenth of a short command, and most texts need none of them.
module.exports = (text, options) =>
  require("../../node_modules/string-width/index.js").default(text, options);
