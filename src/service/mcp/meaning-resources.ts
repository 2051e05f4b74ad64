import { readFileSync } from 'node:fs';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { programFile } from '../../core/program-file.ts';

interface Section {
  /** `wait-or-rent` */
  slug: string;
  heading: string;
  text: string;
}

let sections: readonly Section[] | null = null;

/** Returns the sections of docs/meaning.md. */
function readSections(): readonly Section[] {
  sections ??= readFileSync(programFile('docs/meaning.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [heading = ''] = text.split('\n');
      const slug = heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      return { slug, heading, text: `## ${text.trim()}\n` };
    });
  return sections;
}

/** Adds what every figure and action means, a resource per section. */
export function registerMeaning(server: McpServer): void {
  for (const { slug, heading, text } of readSections()) {
    const uri = `offerbook://meaning/${slug}`;
    const described = {
      title: heading,
      description: `What figures mean: ${heading}`,
      mimeType: 'text/markdown',
    };
    server.registerResource(slug, uri, described, () => ({
      contents: [{ uri, mimeType: 'text/markdown', text }],
    }));
  }
}
