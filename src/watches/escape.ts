/** Returns plain text that Markdown shows as it is: no link, mark-up, HTML or table cell. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>()#+\-.!|~@:&=]/g, (mark) => `\\${mark}`);

/** Returns plain text in which Slack finds no mention, link or command. */
export const escapeSlack = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Returns plain text in which Telegram finds no mention: an invisible word joiner follows each @. */
export const escapeTelegram = (text: string): string => text.replace(/@(?=\w)/g, '@\u2060');

/** Returns text of at most `longest` characters, cut between lines if possible. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 2);
  const line = cut.lastIndexOf('\n');
  return `${(line > longest / 2 ? cut.slice(0, line) : cut).toWellFormed()}\n…`;
}
