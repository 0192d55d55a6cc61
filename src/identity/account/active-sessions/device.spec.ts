import { describe, expect, it } from '@jest/globals';
import { describeDevice } from './device.js';

const MOZILLA = 'Mozilla/5.0';
const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a device by its User-Agent', () => {
  it.each([
    [
      `${MOZILLA} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`,
      'Firefox 128',
      'Linux',
      false,
    ],
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/126.0.0.0 Safari/537.36`,
      'Chrome 126',
      'Windows',
      false,
    ],
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
      'Edge 126',
      'Windows',
      false,
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15`,
      'Safari 17',
      'macOS',
      false,
    ],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1`,
      'Safari 17',
      'iOS',
      true,
    ],
    [
      `${MOZILLA} (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/126.0 Mobile/15E148 Safari/605.1.15`,
      'Firefox 126',
      'iPadOS',
      true,
    ],
    [
      `${MOZILLA} (Linux; Android 14; Pixel 8) ${KHTML} Chrome/126.0.6478.71 Mobile Safari/537.36`,
      'Chrome 126',
      'Android',
      true,
    ],
    [
      `${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/125.0.0.0 Safari/537.36 OPR/110.0.0.0`,
      'Opera 110',
      'ChromeOS',
      false,
    ],
    ['curl/7.88.1', 'curl 7', null, false],
    ['Firefox/', 'Firefox', null, false],
    ['Version/17', null, null, false],
    ['', null, null, false],
    ['\u0000<script>', null, null, false],
  ])('%s', (userAgent, ...device) => {
    const { browser, system, isMobile } = describeDevice(userAgent);
    expect([browser, system, isMobile]).toEqual(device);
  });

  it('is read from the first 255 characters', () => {
    expect(describeDevice(`${'-'.repeat(247)}Firefox/128`).browser).toBe('Firefox');
    expect(describeDevice(`${'-'.repeat(248)}Firefox/128`).browser).toBeNull();
    expect(describeDevice('Firefox/1'.repeat(100_000)).browser).toBe('Firefox 1');
  });
});
