import { tryImage } from '../container/try-image.ts';
import type { Topic } from '../proof.ts';

/** Without a container engine: Debian's packages, the Dockerfile's own lines, and chroot. */
export const containerTopic: Topic = {
  promise:
    'the Dockerfile builds, and its image runs each role read-only, as an ordinary user, and says when it is healthy',
  prove: tryImage,
};
