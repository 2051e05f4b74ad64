import type { Topic } from '../proof.ts';
import { actTopic } from './act.ts';
import { containerTopic } from './container.ts';
import { crawlTopic } from './crawl.ts';
import { embeddedTopic } from './embedded.ts';
import { endsTopic } from './ends.ts';
import { hostileTopic } from './hostile.ts';
import { importTopic } from './import.ts';
import { marketsTopic } from './markets.ts';
import { notifyTopic } from './notify.ts';
import { ordersTopic } from './orders.ts';
import { packageTopic } from './package.ts';
import { scaledTopic } from './scaled.ts';
import { soakTopic } from './soak.ts';
import { spendTopic } from './spend.ts';

/** Every topic of `npm run prove`, by name. */
export const topicRegistry: Readonly<Record<string, Topic>> = {
  import: importTopic,
  embedded: embeddedTopic,
  crawl: crawlTopic,
  act: actTopic,
  ends: endsTopic,
  orders: ordersTopic,
  spend: spendTopic,
  notify: notifyTopic,
  hostile: hostileTopic,
  markets: marketsTopic,
  package: packageTopic,
  scaled: scaledTopic,
  soak: soakTopic,
  container: containerTopic,
};
