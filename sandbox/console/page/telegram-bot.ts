const startLink = /^https?:\/\/t\.me\/gavel_bot\/?\?start=([A-Za-z0-9_-]{1,64})$/u
const inlineText = /^@gavel_bot\s+([\s\S]*)$/iu

/** The start parameter of a link to the bot itself. */
export const startParameter = (url: string): string | undefined => startLink.exec(url)?.[1]

/** The inline query that a text in the message box is; undefined for any other text. */
export const inlineQuery = (text: string): string | undefined => inlineText.exec(text)?.[1]?.trim()
