// Talks with a skill through virtual-alexa. Arguments: the skill's address, its id, the file of its interaction model,
// and what is said: "!launch", "!Name" for an intent, or a sentence. Prints one line of JSON for each answer.

const { VirtualAlexa } = require("virtual-alexa");

async function main([address, skill, model, ...said]) {
  const alexa = VirtualAlexa.Builder().applicationID(skill).skillURL(address).interactionModelFile(model).create();
  for (const one of said) {
    const answer =
      one === "!launch"
        ? await alexa.launch()
        : one.startsWith("!")
          ? await alexa.intend(one.slice(1))
          : await alexa.utter(one);
    console.log(JSON.stringify({ speech: answer.prompt() ?? "", ends: answer.response.shouldEndSession }));
  }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
