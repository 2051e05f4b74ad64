import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Credential } from './credential.ts';

/** Values that a request carries through its handlers. */
export interface ApiEnv {
  Bindings: {
    /** Whether the MCP server of this process sent the request; no request from outside can set it. */
    isAgent?: boolean;
  };
  Variables: {
    /** Who sent the request; set on every path that needs a credential. */
    credential: Credential;
  };
}

/** The app that routes are added to. */
export type ApiApp = OpenAPIHono<ApiEnv>;
