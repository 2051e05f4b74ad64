/** Plain text that Markdown shows as it is: no link, no mark-up, no HTML, no table cell. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>()#+\-.!|~@:&=]/g, (mark) => `\\${mark}`);

/** Plain text in which Slack finds no mention, link or command. */
export const escapeSlack = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Plain text in which Telegram finds nobody to mention: a word joiner, which is not seen, parts each @ from its name. */
export const escapeTelegram = (text: string): string => text.replace(/@(?=\w)/g, '@\u2060');

/** Text of at most `longest` characters, whole lines as far as possible. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 2);
  const line = cut.lastIndexOf('\n');
  return `${(line > longest / 2 ? cut.slice(0, line) : cut).toWellFormed()}\n…`;
}
