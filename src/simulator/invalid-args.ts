/** A request that was read and makes no sense: answered with 400 `invalid_args` and this message. */
export class InvalidArgs extends Error {
  override name = 'InvalidArgs';
}
