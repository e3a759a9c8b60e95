/** The order is stored in the database: only ever append. */
const codedColors: readonly string[] = [
  'black',
  'white',
  'silver',
  'gray',
  'blue',
  'red',
  'green',
  'yellow',
  'orange',
  'brown',
  'gold',
  'beige',
  'purple',
  'other',
];

/** 0 where a listing doesn't state its colour or an alert asks for any; a colour outside the list is 'other'. */
export function colorCode(color: string | null | undefined): number {
  if (color === null || color === undefined || color === 'any') return 0;
  const index = codedColors.indexOf(color);
  return index < 0 ? codedColors.length : index + 1;
}
