/** Files that a report can have beside its text. */
export const attachmentFormats = ['csv', 'xlsx', 'json'] as const;
export type AttachmentFormat = (typeof attachmentFormats)[number];
