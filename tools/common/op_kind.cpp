#include "tools/common/op_kind.hpp"

#include <algorithm>
#include <string>

namespace mo::tools {
namespace {

/// Words that names of a kind have in them: "=add" is the whole name, "^conv" its beginning, "pool" any part of it.
struct Rule {
  OpKind kind;
  std::string_view words;
};

/// The first rule that fits counts: what is told by a whole name or a rare part comes before the short parts.
constexpr std::array kRules = {
    Rule{OpKind::other, "random truncatednormal string"},
    Rule{OpKind::constant, "=const =constant"},
    Rule{OpKind::end,
         "=parameter =result =input =output ^placeholder =data =memorydata =dummydata =imagedata =annotateddata "
         "=outputlayer =_arg =_retval"},
    Rule{OpKind::control,
         "=if =loop =scan =while =statelessif =statelesswhile =tensoriterator readvalue ^assign =switch =merge =enter "
         "=exit =nextiteration =loopcond partitionedcall ^sequence =splittosequence =concatfromsequence ^optional "
         "tensorarray tensorlist varhandle ^variable =memory greedysearch beamsearch =sampling hashtable iterator"},
    Rule{OpKind::quantization, "quantize"},
    Rule{OpKind::arithmetic, "^convert =cast =castlike =bitcast =fakeconvert"},
    Rule{OpKind::movement, "=reorgyolo =splitv =cropandresize =embeddinglookup nhwctonchw nchwtonhwc"},
    Rule{OpKind::normalization, "groupnorm"},
    Rule{OpKind::arithmetic, "rotaryembedding"},
    Rule{OpKind::detection,
         "nonmaxsuppression nms detection proposal priorbox priorgrid regionyolo roi =normalizedbbox ^ctc =boxes "
         "experimentaldetectron"},
    Rule{OpKind::normalization, "norm =lrn =mvn =grn =meanvariancenormalization ^bn =scaler"},
    Rule{OpKind::compute,
         "conv matmul gemm innerproduct fullyconnected lstm gru =rnn ^cudnnrnn rnncell rnnsequence ^qrnn einsum "
         "attention ^moe "
         "^qmoe dft fft =stft =istft correlation classifier regressor treeensemble =deltanet gateddelta =inverse "
         "=det =cdist"},
    Rule{OpKind::activation,
         "relu =elu gelu selu =celu sigmoid softmax softplus softsign =tanh =qlineartanh hswish swish mish silu glu "
         "hardmax clip clamp "
         "=erf =shrink =hardswish =snake =bnll"},
    Rule{OpKind::reduction,
         "pool ^reduce reduce =argmax =argmin topk cumsum cumprod segment =mean =prod =all =any =reduction =bincount "
         "logsumexp sumreduction maxabs"},
    Rule{OpKind::movement,
         "reshape transpose permute =permute squeeze flatten concat split slice gather scatter =pad =padv2 mirrorpad "
         "pad "
         "=tile shape =size =rank =stack =pack =unpack =unstack expand broadcast crop resize interpolate upsample "
         "reverse shuffle depthto spaceto todepth tospace todense onehot =range =eye =eyelike nonzero unique =fill "
         "identity dropout gridsample =roll unfold col2im extractimagepatches tril triu matrixband compress reorg "
         "linspace embedding =where2 stridedslice =dynamicstitch =dynamicpartition =noop =stopgradient =checknumerics "
         "swapaxes affinegrid =copy =silence =arrayfeatureextractor =ensureshape ^resource searchsorted bucketize "
         "=lengthof =scalarlike "
         "diag spacetobatch batchtospace =tensorscatter =view =sparsefillemptyrows"},
    Rule{OpKind::arithmetic,
         "=add ^add biasadd bias =sub =sum =max =min =mul ^multiply =mulinteger =qlinearmul ^div =realdiv floordiv "
         "=pow =power mod =neg =negative =abs sqrt square =rsqrt =exp "
         "=log =log1p =expm1 =sin =sinh =cos =cosh =tan =asin =asinh =acos =acosh =atan =atanh =atan2 equal ^less "
         "greater =and =or =not =xor logical bitwise bitshift =maximum =minimum =floor ceil =round =rint =sign "
         "reciprocal =inv subtract difference =where =select =selectv2 eltwise =eltwise =scale =axpy isnan isinf "
         "isfinite =complexmul =complex =real =imag zeroslike oneslike floormod =exponent =affine complexabs =angle "
         "=trunc threshold =binarizer =mathfunction"},
};

/// "com.microsoft::FusedConv", "Convolution.v1" -> "fusedconv", "convolution".
std::string plain_name(std::string_view op) {
  if (const std::size_t colons = op.rfind("::"); colons != std::string_view::npos) op.remove_prefix(colons + 2);
  if (const std::size_t version = op.rfind(".v"); version != std::string_view::npos && version != 0)
    op = op.substr(0, version);
  std::string name(op);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

bool fits(std::string_view name, std::string_view word) {
  if (word.front() == '=') return name == word.substr(1);
  if (word.front() == '^') return name.starts_with(word.substr(1));
  return name.find(word) != std::string_view::npos;
}

bool fits(std::string_view name, const Rule& rule) {
  std::string_view words = rule.words;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (fits(name, words.substr(0, end))) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string_view to_string(OpKind kind) {
  switch (kind) {
    case OpKind::compute: return "compute";
    case OpKind::normalization: return "normalization";
    case OpKind::activation: return "activation";
    case OpKind::arithmetic: return "arithmetic";
    case OpKind::reduction: return "reduction";
    case OpKind::movement: return "movement";
    case OpKind::quantization: return "quantization";
    case OpKind::detection: return "detection";
    case OpKind::control: return "control";
    case OpKind::end: return "end";
    case OpKind::constant: return "constant";
    case OpKind::other: break;
  }
  return "other";
}

int hue_of(OpKind kind) {
  switch (kind) {
    case OpKind::compute: return 215;
    case OpKind::normalization: return 178;
    case OpKind::activation: return 28;
    case OpKind::arithmetic: return 130;
    case OpKind::reduction: return 275;
    case OpKind::movement: return 48;
    case OpKind::quantization: return 320;
    case OpKind::detection: return 350;
    case OpKind::control: return 245;
    case OpKind::end: return 200;
    case OpKind::constant:
    case OpKind::other: break;
  }
  return -1;
}

OpKind kind_of_op(std::string_view op) {
  const std::string name = plain_name(op);
  const auto rule = std::ranges::find_if(kRules, [&](const Rule& each) { return fits(name, each); });
  return rule == kRules.end() ? OpKind::other : rule->kind;
}

}  // namespace mo::tools
