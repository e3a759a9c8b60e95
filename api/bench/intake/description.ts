import type { Dice } from '../../demo/random.ts';

/** What sellers write, of which a description has about 2 KB. None of it states what an alert of the benchmark asks for. */
const sentences = [
  'Clean title in hand, second owner. Oil changed every 5,000 miles, new brakes and battery last spring.',
  'Runs and drives great, cold a/c, no lights on the dash. A few door dings as you can see in the photos.',
  'Selling because we need something larger. Tires have about 70% left, garage kept, smoke free, all records.',
  'Serious buyers only please. Price is somewhat flexible in person. Message me for a time to come and see it.',
  'Power windows, power locks, cruise control, backup camera, Bluetooth, USB and a CD player that nobody uses.',
  'The leather seats have the usual wear on the driver’s side; the rear seats look as if nobody ever sat there.',
  'Timing belt and water pump were done at the dealership two years ago, and I have the receipts for all of it.',
  'It has never been in an accident. The front bumper was repainted after somebody backed into it in a parking lot.',
  'No rust underneath, as it came from the south. The frame is solid, and a mechanic of your choice may look at it.',
  'Two keys, the owner’s manual, a set of winter floor mats and the original radio come with it, of course.',
  'Synthetic oil only, transmission fluid flushed, coolant replaced, new air filter, new wipers, new cabin filter.',
  'Inspection is good until next fall. Registration is current. I can meet you at the bank or at the DMV.',
  'I am the person in the photos, not a company. No trades, no payments, and please no “is this available”.',
  'Heated seats, moonroof, alloy wheels, fog lights, roof rack, tow package with wiring. Everything works as it should.',
  'Gets good mileage on the highway. I drove it to work every day, and it has never left me at the side of the road.',
  'There is a small chip in the windshield, outside of the driver’s view, that was filled before it could spread.',
] as const;
const DESCRIPTION_LENGTH = 2_000;

/** A description of about 2 KB. */
export function describe(dice: Dice): string {
  const paragraphs: string[] = [];
  for (let length = 0; length < DESCRIPTION_LENGTH; ) {
    const paragraph = Array.from({ length: dice.whole(1, 4) }, () => dice.pick(sentences)).join(' ');
    paragraphs.push(paragraph);
    length += paragraph.length + 2;
  }
  return paragraphs.join('\n\n').slice(0, DESCRIPTION_LENGTH + 100);
}
