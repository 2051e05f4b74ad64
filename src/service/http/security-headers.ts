import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const common = {
  defaultSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};

/** What the page never asks a browser for, so that nothing injected into it can. */
const denied = {
  bluetooth: [],
  camera: [],
  displayCapture: [],
  geolocation: [],
  hid: [],
  microphone: [],
  midi: [],
  payment: [],
  serial: [],
  usb: [],
};

/**
 * Adds the headers by which browsers protect the page to every response. Where browsers reach it by HTTPS they come
 * back by HTTPS only, for a year; other names of the domain are left alone.
 */
export function securityHeaders(publicUrl: string): MiddlewareHandler {
  const options = {
    strictTransportSecurity: publicUrl.startsWith('https:') ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
    permissionsPolicy: denied,
  };
  const strict = secureHeaders({ ...options, contentSecurityPolicy: common });
  // The API reference styles inline and draws icons from data addresses.
  const relaxed = secureHeaders({
    ...options,
    contentSecurityPolicy: {
      ...common,
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
    },
  });
  return async (c, next) => await (c.req.path === '/api/docs' ? relaxed(c, next) : strict(c, next));
}
