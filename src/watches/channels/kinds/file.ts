import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { escapeMarkdown } from '../../escape.ts';
import { renderHtml, renderMarkdown, renderText } from '../render-notice.ts';
import type { ChannelAdapter } from './adapter.ts';

/** Why a file cannot be written and what to do, by the system's code. */
const problems: Readonly<Record<string, string>> = {
  EACCES: 'give Offerbook the permission to write there',
  EEXIST: 'a file has the name of the folder, rename it',
  ENOSPC: 'the disk is full, free some space',
  ENOTDIR: 'a file has the name of the folder, rename it',
  EROFS: 'the disk is read-only',
};

const formats = ['html', 'md', 'txt', 'json'] as const;

/**
 * Writes a file per notice below `DATA_DIR/reports`, named by its moment and delivery id: a repeat is the same file.
 */
export const fileChannel: ChannelAdapter = {
  label: 'File',
  needs:
    'Each message is a file on the computer that runs Offerbook, in the folder “reports” of its data directory (the setting DATA_DIR).',
  fields: {
    path: { label: 'Folder in “reports” of Offerbook’s data', example: 'alerts', optional: true },
    format: { label: 'Format', example: 'html', choices: formats, optional: true },
  },
  config: z.strictObject({
    path: z
      .string()
      .regex(/^[A-Za-z0-9][\w .-]{0,99}$/, 'must be the name of a folder')
      .optional(),
    format: z.enum(formats).default('html'),
  }),
  secret: null,
  send: async ({ id, notice, config }, { filesDir }) => {
    const folder = join(filesDir, String(config.path ?? ''));
    const format = config.format as (typeof formats)[number];
    const name = `${notice.at.replace(/[^0-9TZ]/g, '')}-${notice.kind}-${id}.${format}`;
    const text = {
      html: () => renderHtml(notice),
      md: () => `# ${escapeMarkdown(notice.title)}\n\n${renderMarkdown(notice)}\n`,
      txt: () => `${notice.title}\n\n${renderText(notice)}\n`,
      json: () => `${JSON.stringify({ id, ...notice }, null, 2)}\n`,
    }[format]();
    try {
      await mkdir(folder, { recursive: true });
      // A program that watches the folder never sees half a file.
      await writeFile(join(folder, `.${name}.part`), text, { mode: 0o640 });
      await rename(join(folder, `.${name}.part`), join(folder, name));
      return { kind: 'sent' };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const reason = `the file cannot be written below DATA_DIR/reports: ${problems[code] ?? 'see the log'}`;
      return { kind: 'again', reason: code === '' ? reason : `${reason} (${code})` };
    }
  },
};
