const steps = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** The longest round number of miles that fits. @param pixelsPerMile of the map @param room in pixels */
export function scaleBarMiles(pixelsPerMile: number, room: number): number {
  return steps.findLast((miles) => miles * pixelsPerMile <= room) ?? 0.25;
}
