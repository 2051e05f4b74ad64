import { escapeSlack, shorten } from '../../escape.ts';
import { renderText } from '../render-notice.ts';
import type { ChannelAdapter } from './adapter.ts';
import { whoseAddressIsSecret } from './http-address.ts';

const maxBlockLength = 2_900;

/** An incoming webhook of Slack or a compatible service such as Mattermost. */
export const slackChannel: ChannelAdapter = {
  label: 'Slack',
  needs: 'Add an incoming webhook to the channel in Slack (Apps, Incoming Webhooks), and enter its address.',
  ...whoseAddressIsSecret({
    label: 'Address of the incoming webhook',
    meaning: "the incoming webhook's address",
    example: 'https://hooks.slack.com/services/…',
  }),
  send: async ({ id, notice, secret }, { http }) => {
    // Plain text blocks: text of offers cannot mention anyone or add mark-up.
    const block = (text: string) => ({
      type: 'section',
      text: { type: 'plain_text', text: shorten(text, maxBlockLength), emoji: false },
    });
    const text = renderText(notice);
    const body = JSON.stringify({
      text: escapeSlack(notice.title),
      mrkdwn: false,
      link_names: false,
      parse: 'none',
      unfurl_links: false,
      unfurl_media: false,
      blocks: [block(notice.title), ...(text === '' ? [] : [block(text)])],
    });
    const headers = { 'content-type': 'application/json', 'x-offerbook-delivery': id };
    return await http.send(secret ?? '', { method: 'POST', body, headers });
  },
};
