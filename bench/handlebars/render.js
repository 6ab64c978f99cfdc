// Renders templates with handlebars.js: JSON lines of {template, context} in, of {text} or {error} out.
const Handlebars = require("handlebars");
const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
Handlebars.log = () => {};
const answers = lines.map((line) => {
  const {template, context} = JSON.parse(line);
  try {
    return {text: Handlebars.compile(template)(context)};
  } catch (error) {
    return {error: String(error.message).split("\n")[0]};
  }
});
process.stdout.write(answers.map((answer) => JSON.stringify(answer)).join("\n") + "\n");
