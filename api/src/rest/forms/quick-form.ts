import express, { type Request, type RequestHandler } from 'express';
import { readAlertFields } from '../../alerts/alert-input.ts';
import { resolvePlace } from '../../alerts/create-alert.ts';
import { contentPolicy, styleSource } from '../../base/content-policy.ts';
import { largestRadius } from '../../domain/forms/alert.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import { actionPage, pageStyle } from '../../messages/action-page.ts';

/** Fields of the landing page's form that are text or a choice. */
const texts = ['make', 'model', 'location', 'color'] as const;
const numbers = ['yearMin', 'yearMax', 'radius', 'priceMin', 'priceMax'] as const;
const FLAG = 'onlyWithImages';

const MAX_BODY = '10kb';
const MAX_FIELDS = 40;
const policy = contentPolicy({ 'style-src': [styleSource(pageStyle)] });

interface QuickFormParts {
  gazetteer: Gazetteer;
  /** Counts a request. @throws AppError RATE_LIMITED */
  count(request: Request): Promise<void>;
}

/**
 * Takes the landing page's form from browsers that ran no script, and leads to the new account with the alert in the
 * address. It stores nothing, and the alert is checked again when it is created.
 */
export function quickForm({ gazetteer, count }: QuickFormParts): RequestHandler {
  const router = express.Router();
  const parse = express.urlencoded({ extended: false, limit: MAX_BODY, parameterLimit: MAX_FIELDS });
  router.post('/quick-alert', parse, async (request, response) => {
    await count(request);
    const typed = readTexts(request.body);
    const faults = faultsOf(typed, gazetteer);
    if (faults.length > 0) {
      const page = {
        heading: 'Please check your alert',
        paragraphs: [...faults, 'Go back a page: what you typed is still there.'],
        link: { label: 'Begin again', address: '/' },
      };
      response.status(422).set({ 'Content-Security-Policy': policy, 'X-Robots-Tag': 'noindex' }).type('html');
      response.send(actionPage(page));
      return;
    }
    response.redirect(303, `/auth?${new URLSearchParams(typed).toString()}`);
  });
  return router;
}

/** The form's own fields, each as one text; anything else is ignored. */
function readTexts(body: unknown): Record<string, string> {
  const sent = new Map(Object.entries((body ?? {}) as Record<string, unknown>));
  const textOf = (name: string): string => {
    const value = sent.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const typed: Record<string, string> = {};
  for (const name of texts) typed[name] = textOf(name);
  // As people write prices.
  for (const name of numbers) typed[name] = textOf(name).replaceAll(/[$,\s]/g, '');
  typed[FLAG] = String(sent.has(FLAG));
  return typed;
}

function faultsOf(typed: Record<string, string>, gazetteer: Gazetteer): string[] {
  const asked: Record<string, unknown> = { ...typed, [FLAG]: typed[FLAG] === 'true' };
  for (const name of numbers) if (typed[name]) asked[name] = Number(typed[name]);
  if (typed.radius === 'any') asked.radius = largestRadius;
  const { fields, faults } = readAlertFields(asked, null, new Date());
  resolvePlace(gazetteer, fields, faults);
  return [...new Set(Object.values(faults))];
}
