// Package plot draws the curves of a report: latency against throughput, with
// axes, ticks, a legend, the frontier as steps and the older measurements
// behind the new ones. A chart is laid out once, into a few kinds of shapes;
// SVG and PNG draw the same shapes, and the same chart always gives the same
// bytes. The PNG has its own rasteriser and stroke font, so that no picture
// needs a font file or a library.
package plot
