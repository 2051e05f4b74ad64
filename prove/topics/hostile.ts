import { proveDamaged } from '../hostile/damaged.ts';
import { proveRequests } from '../hostile/requests.ts';
import { topicOfParts } from '../topic-of-parts.ts';

export const hostileTopic = topicOfParts(
  'no request and no file, however made, brings the service down, keeps it busy or ends it without a word',
  { requests: proveRequests, damaged: proveDamaged },
);
