// The chat's own words in Arabic.

import type { Words } from "./en";

export const ar: Words = {
  begin: "اكتب رسالة للبدء.",
  chatWith: "محادثة مع {name}",
  close: "إغلاق",
  connecting: "جارٍ الاتصال…",
  failed: "لم تُرسل",
  left: "الأحرف المتبقية: {n}",
  newMessages: "رسائل جديدة",
  notNow: "لا يمكن فتح هذه المحادثة الآن.",
  offline: "أنت غير متصل. ستُرسل رسائلك عند عودة الاتصال.",
  options: "الخيارات",
  over: "أطول من المسموح بعدد أحرف: {n}",
  place: "الموقع",
  file: "ملف",
  placeholder: "اكتب رسالة…",
  reconnecting: "جارٍ إعادة الاتصال…",
  replies: "ردود مقترحة",
  retry: "إعادة المحاولة",
  said: "{name} يقول:",
  send: "إرسال",
  sending: "جارٍ الإرسال",
  submit: "تم",
  tryAgain: "إعادة المحاولة",
  typeAnswer: "يرجى كتابة إجابتك.",
  typing: "{name} يكتب",
  youSaid: "أنت تقول:",
};
