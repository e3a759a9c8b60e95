import { ChakraProvider } from '@chakra-ui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { alertAge } from '../../lib/text/time.ts';
import { system } from '../../ui/theme/system.ts';
import { CardAge } from './card-parts.tsx';

afterEach(() => void vi.unstubAllEnvs());

it('a drawn card tells the same age in every time zone, though days begin at other times', () => {
  const createdAt = '2026-11-20T05:00:00Z';
  const now = new Date('2026-11-21T09:00:00Z');
  const drawn = () => {
    const given = { value: system, children: createElement(CardAge, { createdAt, now }) };
    const markup = renderToStaticMarkup(createElement(ChakraProvider, given));
    return markup.replace(/<style.*?<\/style>|<[^>]*>/gs, '');
  };
  const ages = ['America/Los_Angeles', 'Pacific/Auckland'].map((zone) => {
    vi.stubEnv('TZ', zone);
    return [drawn(), alertAge(createdAt, now)];
  });
  expect(ages).toEqual([
    ['Yesterday', '2 days ago'],
    ['Yesterday', 'Yesterday'],
  ]);
});
