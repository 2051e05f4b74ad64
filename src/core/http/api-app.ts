import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Credential } from './credential.ts';

/** What a request carries with it. */
export interface ApiEnv {
  Variables: {
    /** Who asks; set on every path that needs a credential. */
    credential: Credential;
  };
}

/** The app that routes are added to. */
export type ApiApp = OpenAPIHono<ApiEnv>;
