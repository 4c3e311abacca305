/*
 * Sources. viridis, magma, inferno, plasma: S. van der Walt, N. Smith, E. Firing 2015, dedicated to
 * the public domain (CC0), every 15th or 17th of their 256 colours. cividis: J. Nunez, C. Anderton,
 * R. Renslow 2018, PLOS ONE 13, e0199239, every 15th. The others are mote's own: curves through a
 * few colours of the space OKLab (B. Ottosson 2020), at equal distances along the curve; grey at
 * equal steps of CIE 1976 lightness.
 */
#include "draw/colormap.h"

#include <math.h>
#include <string.h>

static const uint32_t VIRIDIS[] = {0x440154, 0x481769, 0x472a7a, 0x433d84, 0x3d4e8a, 0x355e8d,
                                   0x2e6d8e, 0x297b8e, 0x23898e, 0x1f978b, 0x21a585, 0x2eb37c,
                                   0x46c06f, 0x65cb5e, 0x89d548, 0xb0dd2f, 0xd8e219, 0xfde725};
static const uint32_t MAGMA[] = {0x000004, 0x0b0924, 0x20114b, 0x3b0f70, 0x57157e, 0x721f81,
                                 0x8c2981, 0xa8327d, 0xc43c75, 0xde4968, 0xf1605d, 0xfa7f5e,
                                 0xfe9f6d, 0xfebf84, 0xfddea0, 0xfcfdbf};
static const uint32_t INFERNO[] = {0x000004, 0x0c0826, 0x240c4f, 0x420a68, 0x5d126e, 0x781c6d,
                                   0x932667, 0xae305c, 0xc73e4c, 0xdd513a, 0xed6925, 0xf8850f,
                                   0xfca50a, 0xfac62d, 0xf2e661, 0xfcffa4};
static const uint32_t PLASMA[] = {0x0d0887, 0x330597, 0x5002a2, 0x6a00a8, 0x8405a7, 0x9c179e,
                                  0xb12a90, 0xc33d80, 0xd35171, 0xe16462, 0xed7953, 0xf68f44,
                                  0xfca636, 0xfec029, 0xf9dc24, 0xf0f921};
static const uint32_t CIVIDIS[] = {0x00224e, 0x002d68, 0x163770, 0x2e416d, 0x3f4c6c, 0x4e566c,
                                   0x5c616e, 0x696b71, 0x767676, 0x838179, 0x928c78, 0xa09875,
                                   0xafa471, 0xbfb06b, 0xcfbd62, 0xdfca57, 0xf0d846, 0xfee838};
static const uint32_t RAINBOW[] = {
    0x38185f, 0x39257e, 0x36309d, 0x3141ba, 0x2a58cb, 0x226fd4, 0x1985d8, 0x109bda, 0x15afd7,
    0x27c1ce, 0x36d1bb, 0x4adc9f, 0x76e47c, 0xaee659, 0xdcdd2f, 0xf3c82d, 0xf8b025, 0xf4971a,
    0xed7e0f, 0xe56407, 0xdb4703, 0xcb2a06, 0xb11b0c, 0x961711, 0x7c1213};
static const uint32_t HEAT[] = {0xffffff, 0xfff3e9, 0xffe6d4, 0xffd9c0, 0xffcbac, 0xffbd99,
                                0xffaf87, 0xffa076, 0xfe9067, 0xfd8059, 0xfb6e4d, 0xf85c41,
                                0xf34835, 0xea3428, 0xdd241c, 0xce1610, 0xc00000};
static const uint32_t GREY[] = {0x000000, 0x141414, 0x212121, 0x2e2e2e, 0x3b3b3b, 0x4a4a4a,
                                0x585858, 0x676767, 0x777777, 0x878787, 0x979797, 0xa8a8a8,
                                0xb9b9b9, 0xcacaca, 0xdbdbdb, 0xededed, 0xffffff};
static const uint32_t COOLWARM[] = {0x1043a8, 0x255ab7, 0x3a71c7, 0x5287d3, 0x6e9cdb, 0x8cb1e2,
                                    0xaac5e7, 0xcad8e9, 0xebebeb, 0xead1c7, 0xe8b6a4, 0xe29b84,
                                    0xda7f67, 0xcf624d, 0xbf4635, 0xaa2b20, 0x940308};

#define MAP(name, colors, summary) \
    { \
        name, summary, sizeof colors / sizeof *colors, colors \
    }

static const mo_colormap MAPS[] = {
    MAP("viridis", VIRIDIS, "Dark blue, green, yellow; perceptually uniform, also in greyscale."),
    MAP("magma", MAGMA,
        "Black, purple, orange, pale yellow; perceptually uniform, also in "
        "greyscale."),
    MAP("inferno", INFERNO, "Black, red, yellow; perceptually uniform, also in greyscale."),
    MAP("plasma", PLASMA, "Blue, red, yellow; perceptually uniform, also in greyscale."),
    MAP("cividis", CIVIDIS, "Blue, grey, yellow; suitable for colour-blind readers."),
    MAP("rainbow", RAINBOW, "Violet to red; smooth rainbow, brightest in the middle."),
    MAP("heat", HEAT, "White to red."),
    MAP("grey", GREY, "Black to white."),
    MAP("coolwarm", COOLWARM, "Blue, white in the middle, red: diverging, for signed quantities."),
};

enum { MAP_COUNT = sizeof MAPS / sizeof *MAPS };

const mo_colormap *mo_colormap_number(int index)
{
    return index >= 0 && index < MAP_COUNT ? &MAPS[index] : NULL;
}

const mo_colormap *mo_colormap_find(const char *name)
{
    for (int k = 0; k < MAP_COUNT; ++k) {
        if (strcmp(MAPS[k].name, name) == 0) {
            return &MAPS[k];
        }
    }
    return NULL;
}

static uint8_t channel(uint32_t a, uint32_t b, int shift, double t)
{
    return (uint8_t)((1 - t) * (a >> shift & 255) + t * (b >> shift & 255) + 0.5);
}

mo_color mo_colormap_at(const mo_colormap *map, double t)
{
    if (isnan(t)) {
        return mo_rgb(0x808890);
    }
    double position = fmin(fmax(t, 0), 1) * (map->count - 1);
    int k = (int)fmin(position, map->count - 2);
    uint32_t a = map->colors[k], b = map->colors[k + 1];
    return (mo_color){channel(a, b, 16, position - k), channel(a, b, 8, position - k),
                      channel(a, b, 0, position - k), 255};
}
