/**
 * A refused request, answered with `{success: false, error, msg}` and this status.
 * Source: docs/marketplace.md#7-errors.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly error: string;

  constructor(status: number, error: string, message: string) {
    super(message);
    this.status = status;
    this.error = error;
  }

  get body(): object {
    return { success: false, error: this.error, msg: this.message };
  }
}
