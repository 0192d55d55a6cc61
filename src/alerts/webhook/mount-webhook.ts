import type { NestExpressApplication } from '@nestjs/platform-express';
import { WebhookHandler } from './webhook.handler.js';

/**
 * Puts the alert webhooks in front of everything that reads bodies: they have limits of their own,
 * and must be found without asking the hundreds of other routes.
 */
export function mountWebhook(app: NestExpressApplication): void {
  const handler = app.get(WebhookHandler, { strict: false });
  app.use(handler.handle);
}
