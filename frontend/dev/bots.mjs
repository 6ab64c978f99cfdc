// The canned bots of the mock server: what they say at the beginning and to a few words.

const doctors = ["Dr. Amira Haddad", "Dr. Jonas Lindqvist", "Dr. Mei Tanaka", "Dr. Oluwaseun Adeyemi", "Dr. Sofia Marchetti"];

/** A picture of its own for each, from the mock itself: no bot needs anybody's server. */
const picture = (hue) => `/mock/picture/${hue}.svg`;

export function drawn(hue) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><rect width="300" height="200" fill="hsl(${hue} 45% 78%)"/><circle cx="150" cy="82" r="38" fill="hsl(${hue} 40% 58%)"/><path d="M70 200c0-50 36-76 80-76s80 26 80 76" fill="hsl(${hue} 40% 58%)"/></svg>`;
}

const specialists = [
  ["General medicine", "Check-ups, vaccinations, first advice"],
  ["Cardiology", "Heart and circulation"],
  ["Dermatology", "Skin, hair and nails"],
  ["Ear, nose and throat", "Hearing, balance, voice"],
  ["Gynaecology", "Women's health and pregnancy"],
  ["Neurology", "Brain, spine and nerves"],
  ["Ophthalmology", "Eyes and sight"],
  ["Orthopaedics", "Bones, joints and muscles"],
  ["Paediatrics", "Children and adolescents"],
  ["Radiology", "X-ray, ultrasound, tomography"],
];
const symptoms = [["Fever"], ["Cough"], ["Headache"], ["Sore throat"], ["Dizziness"], ["Shortness of breath"]];
const medicines = Array.from({ length: 10_000 }, (_, index) => [`Medicine ${index + 1}`, `${(index % 40) * 5 + 5} mg`]);
const people = [
  ["Dr. Amira Haddad", "General medicine. Speaks Arabic, English and French.", picture(205)],
  ["Dr. Jonas Lindqvist", "Cardiology", picture(150)],
  ["Dr. Mei Tanaka, head of the department of dermatology and allergology", "Skin, hair and nails, on Mondays and Wednesdays only, also by video call", picture(330)],
  ["Dr. Oluwaseun Adeyemi", "Orthopaedics", picture(40)],
  ["Dr. Sofia Marchetti", "Paediatrics", picture(265)],
];

function dialog(text, type, title, buttonText, options = [], more = {}) {
  return { text, dialog: { type, title, buttonText, options, ...more } };
}

/** Days of which some cannot be chosen. */
const open = { min: "2030-01-02", max: "2030-02-20", off: ["saturday", "sunday", "2030-01-08"] };
/** What the operator has set: a search for places, and a map. */
const sought = { search: true, map: { tiles: "/mock/tile/{z}/{x}/{y}.svg", attribution: "© OpenStreetMap contributors" } };

const branches = [
  ["Harbour", "Hafenstraße 4, Hamburg", "", { latitude: 53.5436, longitude: 9.9673 }],
  ["Old town", "Domplatz 1, Hamburg", "", { latitude: 53.5503, longitude: 9.9937 }],
  ["Airport", "", "", { latitude: 53.6304, longitude: 9.9882 }],
];

/** What the mock's geocoder finds for any words but `nowhere`. */
export function placesFor(query) {
  if (query.includes("nowhere")) return [];
  return [
    { title: "Hamburg-Altona", subtitle: "Altona, Hamburg, 22765, Deutschland", latitude: 53.5527, longitude: 9.9352 },
    { title: "Altona", subtitle: "City of Hobsons Bay, Melbourne, Victoria, 3018, Australia", latitude: -37.8676, longitude: 144.8299 },
  ];
}

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
  single: [dialog("Which specialist do you need?", "single-select", "Choose a specialist", "Select", specialists)],
  few: [dialog("Which specialist do you need?", "single-select", "Choose a specialist", "Select", specialists.slice(0, 4))],
  multi: [dialog("Which symptoms do you have?", "multi-select", "Choose symptoms", "Send symptoms", symptoms)],
  many: [dialog("Which medicine do you take?", "multi-select", "Choose medicines", "Send", medicines)],
  date: [dialog("On which day would you like to come?", "date-picker", "Choose a day", "Take this day")],
  place: [dialog("Where are you? I look for the nearest practice.", "location-picker", "Choose a place", "Send this place")],
  visit: [dialog("When do you want to visit **Riverside Clinic**? We are open from Monday to Friday.", "date-picker", "Choose a day", "Take this day", [], open)],
  branch: [dialog("Which of our branches is the nearest to you?", "location-picker", "Choose a branch", "Take this branch", branches)],
  search: [dialog("Where shall we pick you up?", "location-picker", "Choose a place", "Send this place", [], sought)],
  mixed: [dialog("Who shall see you?", "single-select", "Choose", "Take", [["Dr. Jonas Lindqvist", "Cardiology"], ["د. أميرة حداد", "General medicine"], ["د. سامي خليل"]])],
  removal: [{ text: "Delete all your appointments? They cannot be brought back.", replies: [["Yes", "danger"], "No"] }],
  cards: [dialog("These doctors have time this week. Whom would you like to see?", "carousel", "Choose a doctor", "Book", people)],
  login: [{ text: "Please log in first, so that I can show your reports.", dialog: { type: "login", title: "Riverside patient account", buttonText: "Log in", url: "/mock/login", image: picture(210) } }],
  photo: [{ text: "Please send a photo of your insurance card.", wants: "file" }],
  file: [{ text: "Thank you, I have your file." }],
  location: [{ text: "The practice at Harbour Street 4 is the nearest." }],
  "logged in": [{ text: "Welcome, Ada. You have two new reports." }],
  bye: [{ text: "Goodbye, and get well soon!", isEnd: true }],
  confirm: [{ text: "A check-up with **Dr. Mei Tanaka** on Tuesday, 12 May at 10:40. Is this right?", replies: [["Confirm", "confirm"], "Doctor", "Day", "Time"] }],
  consent: "By writing you agree that we keep this chat for 30 days.",
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
  single: [
    dialog("Welche Fachrichtung benötigen Sie?", "single-select", "Fachrichtung auswählen", "Fachrichtung übernehmen", [
      ["Allgemeinmedizin", "Vorsorgeuntersuchungen, Schutzimpfungen, Erstberatung"],
      ["Herz-Kreislauf-Erkrankungen", "Kardiologie und Gefäßmedizin einschließlich Langzeit-Blutdruckmessung"],
      ["Hautkrankheiten", "Haut, Haare und Nägel"],
      ["Hals-Nasen-Ohren-Heilkunde"],
      ["Kinder- und Jugendmedizin"],
      ["Magen-Darm-Erkrankungen", "Gastroenterologie"],
      ["Orthopädie und Unfallchirurgie"],
      ["Rechtsschutzversicherungsgesellschaftsärztliche Begutachtungen"],
    ]),
  ],
  few: [dialog("Wie möchten Sie kommen?", "single-select", "Anreise", "Übernehmen", [["Öffentlicher Nahverkehr"], ["Auto"], ["Fahrrad"]])],
  multi: [
    dialog("Welche Beschwerden haben Sie?", "multi-select", "Beschwerden auswählen", "Beschwerden senden", [
      ["Fieber"], ["Kopfschmerzen"], ["Halsschmerzen"], ["Kurzatmigkeit"], ["Überempfindlichkeitsreaktionen"],
    ]),
  ],
  date: [dialog("An welchem Tag möchten Sie kommen?", "date-picker", "Tag auswählen", "Diesen Tag übernehmen")],
  place: [dialog("Wo sind Sie? Ich suche die nächste Praxis.", "location-picker", "Standort auswählen", "Standort senden")],
  visit: [
    dialog("An welchem Tag möchten Sie die Gemeinschaftspraxis besuchen? Wir haben montags bis freitags geöffnet.", "date-picker", "Tag auswählen", "Diesen Tag übernehmen", [], open),
  ],
  branch: [dialog("Welche unserer Zweigstellen liegt am nächsten bei Ihnen?", "location-picker", "Zweigstelle auswählen", "Zweigstelle übernehmen", branches)],
  search: [dialog("Wo sollen wir Sie abholen?", "location-picker", "Ort auswählen", "Ort senden", [], sought)],
  cards: [dialog("Diese Ärztinnen und Ärzte haben noch freie Termine.", "carousel", "Ärztin oder Arzt", "Termin vereinbaren", people)],
  login: [{ text: "Bitte melden Sie sich zuerst an.", dialog: { type: "login", title: "Patientenkonto Flussaue", buttonText: "Anmelden", url: "/mock/login" } }],
  photo: [{ text: "Bitte senden Sie ein Foto Ihrer Versichertenkarte.", wants: "file" }],
  file: [{ text: "Vielen Dank, ich habe Ihre Datei." }],
  location: [{ text: "Die Praxis in der Hafenstraße 4 ist die nächste." }],
};

Object.assign(de, {
  "logged in": [{ text: "Willkommen, Ada. Sie haben zwei neue Befunde." }],
  bye: [{ text: "Auf Wiedersehen und gute Besserung!", isEnd: true }],
  confirm: [{ text: "Eine Vorsorgeuntersuchung bei **Dr. Mei Tanaka** am Dienstag, 12. Mai um 10:40 Uhr. Stimmt das?", replies: [["Bestätigen", "confirm"], "Ärztin oder Arzt", "Tag", "Uhrzeit"] }],
  consent: "Mit Ihrer Nachricht stimmen Sie zu, dass wir dieses Gespräch 30 Tage lang aufbewahren.",
});

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
  single: [
    dialog("ما التخصص الذي تحتاجه؟", "single-select", "اختر التخصص", "اختيار", [
      ["الطب العام", "الفحوصات والتطعيمات"], ["أمراض القلب", "القلب والدورة الدموية"], ["الأمراض الجلدية"], ["طب الأطفال"],
      ["طب العيون", "العيون والبصر"], ["طب الأعصاب"], ["جراحة العظام"], ["الأشعة"],
    ]),
  ],
  multi: [dialog("ما الأعراض التي تشعر بها؟", "multi-select", "اختر الأعراض", "إرسال الأعراض", [["حمى"], ["سعال"], ["صداع"], ["دوار"]])],
  date: [dialog("في أي يوم تريد الموعد؟", "date-picker", "اختر اليوم", "تأكيد اليوم")],
  visit: [dialog("في أي يوم تريد زيارة العيادة؟ نعمل من الاثنين إلى الجمعة.", "date-picker", "اختر اليوم", "تأكيد اليوم", [], open)],
  branch: [dialog("أي فرع هو الأقرب إليك؟", "location-picker", "اختر الفرع", "إرسال الفرع", [["الميناء", "شارع الميناء 4", "", { latitude: 53.5436, longitude: 9.9673 }], ...branches])],
  search: [dialog("من أين نأخذك؟", "location-picker", "اختر المكان", "إرسال المكان", [], sought)],
  mixed: [dialog("مع من تريد الموعد؟", "single-select", "اختر", "اختيار", [["Dr. Jonas Lindqvist", "أمراض القلب"], ["د. أميرة حداد", "Allgemeinmedizin (GP)"], ["3M طبيب العيون"], ["Dr. Mei Tanaka"]])],
  place: [dialog("أين أنت؟", "location-picker", "اختر الموقع", "إرسال الموقع")],
  cards: [
    dialog("من تريد أن ترى؟", "carousel", "اختر طبيبًا", "حجز", [
      ["د. أميرة حداد", "الطب العام", picture(205)], ["د. سامي خليل", "أمراض القلب", picture(150)], ["د. ليلى منصور", "طب الأطفال", picture(330)],
      ["د. يوسف ناصر", "جراحة العظام", picture(40)],
    ]),
  ],
  login: [{ text: "يرجى تسجيل الدخول أولًا.", dialog: { type: "login", title: "حساب المريض", buttonText: "تسجيل الدخول", url: "/mock/login" } }],
  photo: [{ text: "يرجى إرسال صورة بطاقة التأمين.", wants: "file" }],
  file: [{ text: "شكرًا، وصل الملف." }],
};

Object.assign(ar, {
  "logged in": [{ text: "مرحبًا آدا. لديك تقريران جديدان." }],
  bye: [{ text: "إلى اللقاء، مع تمنياتنا بالشفاء!", isEnd: true }],
  confirm: [{ text: "فحص عام مع **د. سامي خليل** يوم الثلاثاء 12 مايو الساعة 10:40. هل هذا صحيح؟", replies: [["تأكيد", "confirm"], "الطبيب", "اليوم", "الساعة"] }],
  consent: "بالكتابة توافق على أن نحتفظ بهذه المحادثة لمدة 30 يومًا.",
});

const silent = { ...en, name: "Quiet Bot", welcome: [] };

export const bots = {
  clinic: { language: "en", ...en },
  praxis: { language: "de", ...de },
  iyada: { language: "ar", ...ar },
  silent: { language: "en", ...silent },
  silent_de: { language: "de", ...de, welcome: [] },
  silent_ar: { language: "ar", ...ar, welcome: [] },
};

/** Which of a bot's answers belongs to what the user said. */
export function answerTo(bot, text) {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(bot, word) && Array.isArray(bot[word])) return bot[word];
  const first = bot.welcome.flatMap((said) => said.replies ?? [])[0] ?? "";
  if (text === first) return bot.book;
  if (bot.book[0].replies.includes(text)) return bot.done;
  return bot.echo(text);
}
