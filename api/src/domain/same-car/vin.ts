const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** A vehicle identification number as stored, null for anything else. Source: ISO 3779: 17 signs without I, O and Q. */
export function readVin(text: string | null | undefined): string | null {
  const vin = text?.trim().toUpperCase() ?? '';
  // Seventeen equal signs fill a field that must not be empty.
  return VIN.test(vin) && new Set(vin).size > 3 ? vin : null;
}
