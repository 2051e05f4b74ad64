import { Refusal } from './refusal.ts';

/** A well-formed request that makes no sense: answered with 400 `invalid_args` and this message. */
export class InvalidArgs extends Refusal {
  override name = 'InvalidArgs';

  constructor(message: string) {
    super(400, 'invalid_args', message);
  }
}
