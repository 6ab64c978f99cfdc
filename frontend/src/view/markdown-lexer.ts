// The part of marked that is loaded when a text says something in Markdown.

export { Lexer } from "marked";
