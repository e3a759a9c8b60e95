import { type AlertMail, alertFoot, alertFootText } from './alert-mails.ts';
import { type EndedCar, endedHeading, endedRow, endedText, lastPrice } from './ended-cars.ts';
import { button, layout, type MailContent, markup, oneLine, panel, styles } from './mail-layout.ts';

const style = (name: keyof typeof styles) => ({ markup: styles[name] });

/** The mail about cars that are no longer for sale, where there is nothing else to tell. */
export function endedMail(alert: AlertMail, cars: readonly EndedCar[], count: number): MailContent {
  const heading = endedHeading(cars, count);
  const others = `Your ${alert.alertName} alert near ${oneLine(alert.alertPlace)} goes on looking.`;
  const label = 'See similar cars';
  const [car] = cars;
  const html = layout({
    title: heading,
    preview: car && count === 1 ? `${lastPrice(car)}. ${others}` : others,
    body: panel(markup`<h1 class="ink" style="${style('heading')};padding:0 0 12px">${heading}</h1>
${count === 1 && car ? markup`<p class="muted" style="${style('muted')};padding:0 0 12px">${lastPrice(car)}</p>` : cars.map(endedRow)}
<p class="ink" style="${style('text')};padding:0 0 14px">${others}</p>${button(label, alert.foot.alertUrl)}`),
    foot: alertFoot(alert.foot),
  });
  const rows = car && count === 1 ? lastPrice(car) : endedText(cars, count);
  const text = [heading, rows, others, `${label}: ${alert.foot.alertUrl}`, alertFootText(alert.foot)].join('\n\n');
  return { subject: heading, text, html };
}
