/** With fewer figures than these no percentile is published, as it would say something of single messages. */
export const MIN_FIGURES = 20;
