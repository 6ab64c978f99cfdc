// What each platform takes from a bot and sends to it, in types that others wrote and keep (package.json). Here they are
// only put together: which type a call has, and keys spelled as they go over the wire. Where a package says less or more
// than the platform's own document, the difference stands here with the document's address.

import type { ApiMethods, Opts, Update } from "@grammyjs/types";
import type * as AdaptiveCards from "@microsoft/teams.cards";
import type * as MessengerSdk from "@warriorteam/messenger-sdk";
import type { RequestEnvelope, ResponseEnvelope, services } from "ask-sdk-model";
import type { v1 } from "ask-smapi-model";
import type * as BotFramework from "botframework-schema";
import type { MessengerTypes } from "messaging-api-messenger";
import type { ViberTypes } from "messaging-api-viber";

// -- keys as they go over the wire: messaging-api-* writes them in camel case and spells them anew when it sends

type SnakeKey<K extends string> = K extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeKey<Rest>}`
  : K;
type Snake<T> = T extends readonly (infer Item)[]
  ? Snake<Item>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? (string extends Key ? Key : SnakeKey<Key>) : Key]: Snake<T[Key]> }
    : T;
type Pascal<T> = T extends readonly (infer Item)[]
  ? Pascal<Item>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? Capitalize<Key> : Key]: Pascal<T[Key]> }
    : T;

// -- Telegram

export type TelegramCall<Method extends keyof ApiMethods<never>> = Opts<never>[Method];
export type TelegramUpdate = Update;

// -- Messenger, by two packages that know nothing of each other

type Template =
  | MessengerSdk.GenericTemplatePayload
  | MessengerSdk.ButtonTemplatePayload
  | MessengerSdk.MediaTemplatePayload
  | MessengerSdk.ProductTemplatePayload;
type MessengerMessage = Omit<MessengerSdk.Message, "attachment"> & {
  attachment?: { type: "template"; payload: Template };
};
// Not of a message: developers.facebook.com/docs/messenger-platform/send-messages/sender-actions has no messaging_type.
type MessengerAction = { recipient: MessengerSdk.Recipient; sender_action: MessengerTypes.SenderAction };
export type MessengerCall =
  | (Omit<MessengerSdk.SendMessageRequest, "message" | "sender_action" | "sender_action_payload"> & {
      message: MessengerMessage;
    })
  | MessengerAction;
// The package's type of a template has any field; these are those of its calls sendGenericTemplate and sendButtonTemplate.
type OtherTemplate =
  | { template_type: "generic"; elements: Snake<MessengerTypes.TemplateElement>[] }
  | { template_type: "button"; text: string; buttons: Snake<MessengerTypes.TemplateButton>[] };
type OtherMessage = Snake<MessengerTypes.TextMessage> & { attachment?: { type: "template"; payload: OtherTemplate } };
export type OtherMessengerCall =
  | ({ recipient: Snake<MessengerTypes.Recipient>; message: OtherMessage } & Snake<
      Omit<MessengerTypes.SendOption, "quickReplies">
    >)
  | MessengerAction;
// The package adds a "type" to events that it has read (developers.facebook.com/docs/messenger-platform/webhooks has none).
type MessengerEvent =
  | Omit<MessengerSdk.MessageWebhookEvent, "type">
  | Omit<MessengerSdk.MessagingPostbackWebhookEvent, "type">
  | Omit<MessengerSdk.MessageReadsWebhookEvent, "type">
  | Omit<MessengerSdk.MessageEditWebhookEvent, "type">;
export type MessengerEvents = { object: "page"; entry: { id: string; time: number; messaging: MessengerEvent[] }[] };
export type MessengerProfile = Snake<MessengerTypes.MessengerProfile>;

// -- Viber

type ViberMessage = ViberTypes.Message extends infer Message
  ? Message extends { keyboard?: ViberTypes.Keyboard }
    ? Snake<Omit<Message, "keyboard" | "richMedia">> & { keyboard?: Pascal<ViberTypes.Keyboard> }
    : never
  : never;
export type ViberAnswer = ViberMessage;
export type ViberCall = { receiver: string } & ViberMessage;
export type ViberWebhook = {
  url: string;
  event_types?: `${ViberTypes.EventType}`[];
  send_name?: boolean;
  send_photo?: boolean;
};

// -- Microsoft Teams

type Card<Type extends string, Content> = Omit<BotFramework.Attachment, "contentType" | "content"> & {
  contentType: Type;
  content: Content;
};
type TeamsAttachment =
  | Card<"application/vnd.microsoft.card.adaptive", AdaptiveCards.IAdaptiveCard>
  | Card<"application/vnd.microsoft.card.signin", BotFramework.SigninCard>
  | Card<"application/vnd.microsoft.card.oauth", BotFramework.OAuthCard>;
// Ids alone: learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#channelaccount-object
// requires no name.
type Account = Pick<BotFramework.ChannelAccount, "id"> & Partial<BotFramework.ChannelAccount>;
type Conversation = Pick<BotFramework.ConversationAccount, "id"> & Partial<BotFramework.ConversationAccount>;
export type TeamsActivity = Partial<
  Omit<BotFramework.Activity, "type" | "textFormat" | "attachmentLayout" | "attachments" | "from" | "recipient" | "conversation">
> & {
  type: `${BotFramework.ActivityTypes}`;
  textFormat?: `${BotFramework.TextFormatTypes}`;
  attachmentLayout?: `${BotFramework.AttachmentLayoutTypes}`;
  attachments?: TeamsAttachment[];
  from?: Account;
  recipient: Account;
  conversation: Conversation;
};
// Dates are texts of ISO 8601 before the package's own client has read them.
export type TeamsEvent = Partial<
  Omit<BotFramework.Activity, "type" | "timestamp" | "localTimestamp" | "text" | "from" | "recipient" | "conversation" | "membersAdded">
> & {
  type: `${BotFramework.ActivityTypes}`;
  // What a card submits comes with no words: text is null then, or absent (github.com/microsoft/botbuilder-dotnet/issues/1202).
  text?: string | null;
  membersAdded?: Account[];
  from: Account;
  recipient: Account;
  conversation: Conversation;
  timestamp?: string;
  localTimestamp?: string;
};
export type TeamsButtonData = AdaptiveCards.IMessageBackSubmitActionData;
export type TeamsTokenAnswer = BotFramework.TokenExchangeInvokeResponse;

// -- Alexa

export type AlexaAnswer = ResponseEnvelope;
export type AlexaDirective = services.directive.SendDirectiveRequest;
// A value needs no synonyms: developer.amazon.com/en-US/docs/alexa/smapi/interaction-model-schema.html (the package wants
// them).
type SlotValue = Omit<v1.skill.interactionModel.TypeValue, "name"> & { name: { value: string; synonyms?: string[] } };
type SlotType = Omit<v1.skill.interactionModel.SlotType, "values"> & { values?: SlotValue[] };
type LanguageModel = Omit<v1.skill.interactionModel.LanguageModel, "types"> & { types?: SlotType[] };
export type AlexaModel = {
  interactionModel: Omit<v1.skill.interactionModel.InteractionModelSchema, "languageModel"> & {
    languageModel: LanguageModel;
  };
};
export type AlexaRequest = RequestEnvelope;
