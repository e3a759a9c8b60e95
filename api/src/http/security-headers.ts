import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Helmet with a policy that lets the web app load its own code only. @param https whether browsers reach us so */
export function securityHeaders(https: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // The playground's editor has workers; they are files of ours.
        workerSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Sellers' photos come from wherever the marketplace keeps them.
        imgSrc: ["'self'", 'data:', 'https:', 'http:'],
        connectSrc: ["'self'", 'ws:', 'wss:'],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https,
    // Under 'no-referrer' browsers send `Origin: null` with our own forms, which the origin guard refuses.
    referrerPolicy: { policy: 'same-origin' },
  });
}
