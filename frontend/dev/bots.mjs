// The canned bots of the mock server: what they say at the beginning and to a few words.

const doctors = ["Dr. Amira Haddad", "Dr. Jonas Lindqvist", "Dr. Mei Tanaka", "Dr. Oluwaseun Adeyemi", "Dr. Sofia Marchetti"];

const en = {
  name: "Riverside Clinic",
  welcome: [
    { text: "Hello, I am the assistant of **Riverside Clinic**." },
    {
      text: "I can book, move or cancel an appointment. What would you like to do?",
      replies: ["Book an appointment", "Move an appointment", "Cancel", "Opening hours"],
    },
  ],
  book: [{ text: "With whom would you like to meet?", replies: doctors, next: "Next 5" }],
  done: [{ text: "Thank you. You are expected on **Tuesday, 12 May at 10:40**." }, { text: "Is there anything else?", replies: ["Yes", "No"] }],
  echo: (text) => [{ text: `You wrote: ${text}` }],
  long: [
    {
      text: `Here is what to bring to your first visit:

1. Your **insurance card** and an identity document
2. A list of the medicines that you take, with their doses
3. Reports and pictures of earlier examinations, if you have any:
   - letters of your doctor
   - blood tests not older than three months

Please come ten minutes before your appointment. Our practice is on the second floor; there is a lift at the back of the building. If you have a fever or a cough, call us first at [030 123 45 67](tel:+49301234567).

| Day | Morning | Afternoon |
|---|---|---:|
| Monday | 8:00–12:00 | 14:00–18:00 |
| Wednesday | 8:00–12:00 | closed |

> You find the way on [our page](https://example.org/way).

\`\`\`
Reference: RC-2045-1178
\`\`\``,
    },
  ],
  single: [{ text: "Which specialist do you need?", dialog: { type: "single-select", title: "Choose a specialist", buttonText: "Select" } }],
  multi: [{ text: "Which symptoms do you have?", dialog: { type: "multi-select", title: "Choose symptoms", buttonText: "Send symptoms" } }],
  date: [{ text: "On which day?", dialog: { type: "date-picker", title: "Choose a day", buttonText: "Choose", options: [] } }],
  login: [{ text: "Please log in first.", dialog: { type: "login", title: "Log in", buttonText: "Log in", options: [], url: "https://login.example.org/" } }],
  options: [
    ["General medicine", "Check-ups, vaccinations, first advice"],
    ["Cardiology", "Heart and circulation"],
    ["Dermatology", "Skin, hair and nails"],
  ],
};

const de = {
  ...en,
  name: "Gemeinschaftspraxis Flussaue",
  welcome: [
    { text: "Guten Tag, ich bin der Assistent der **Gemeinschaftspraxis Flussaue**." },
    {
      text: "Ich kann Termine vereinbaren, verschieben oder absagen. Was möchten Sie tun?",
      replies: [
        "Vorsorgeuntersuchung vereinbaren",
        "Termin verschieben",
        "Termin absagen",
        "Öffnungszeiten und Anfahrtsbeschreibung",
      ],
    },
  ],
  book: [{ text: "Bei wem möchten Sie den Termin?", replies: doctors, next: "Nächste 5" }],
  done: [
    { text: "Vielen Dank. Wir erwarten Sie am **Dienstag, 12. Mai um 10:40 Uhr**." },
    { text: "Kann ich sonst noch etwas für Sie tun?", replies: ["Ja", "Nein"] },
  ],
  echo: (text) => [{ text: `Sie schrieben: ${text}` }],
  options: [
    ["Allgemeinmedizin", "Vorsorgeuntersuchungen, Schutzimpfungen, Erstberatung"],
    ["Herz-Kreislauf-Erkrankungen", "Kardiologie und Gefäßmedizin"],
    ["Hautkrankheiten", "Haut, Haare und Nägel"],
  ],
};

const ar = {
  ...en,
  name: "عيادة النهر",
  welcome: [
    { text: "مرحبًا، أنا مساعد **عيادة النهر**." },
    { text: "يمكنني حجز موعد أو تغييره أو إلغاؤه. ماذا تريد أن تفعل؟", replies: ["حجز موعد", "تغيير موعد", "إلغاء", "ساعات العمل"] },
  ],
  book: [{ text: "مع من تريد الموعد؟", replies: ["د. أميرة حداد", "Dr. Jonas Lindqvist", "د. سامي خليل"], next: "التالي 5" }],
  done: [{ text: "شكرًا. ننتظرك يوم **الثلاثاء 12 مايو الساعة 10:40**." }, { text: "هل من شيء آخر؟", replies: ["نعم", "لا"] }],
  echo: (text) => [{ text: `كتبت: ${text}` }],
};

const silent = { ...en, name: "Quiet Bot", welcome: [] };

export const bots = {
  clinic: { language: "en", ...en },
  praxis: { language: "de", ...de },
  iyada: { language: "ar", ...ar },
  silent: { language: "en", ...silent },
};

/** Which of a bot's answers belongs to what the user said. */
export function answerTo(bot, text) {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(bot, word) && Array.isArray(bot[word])) return bot[word];
  const first = bot.welcome.flatMap((said) => said.replies ?? [])[0];
  if (text === first) return bot.book;
  if (bot.book[0].replies.includes(text)) return bot.done;
  return bot.echo(text);
}
